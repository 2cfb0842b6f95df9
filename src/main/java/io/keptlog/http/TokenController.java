// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.access.Guard;
import io.keptlog.http.dto.user.CreateTokenRequest;
import io.keptlog.http.dto.user.RawToken;
import io.keptlog.http.dto.user.TokenInfo;
import io.keptlog.service.TokenService;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The caller's own personal access tokens. */
@Tag(name = "Personal access tokens")
@RestController
@RequestMapping("/personal-access-tokens")
class TokenController {
    private final TokenService tokens;
    private final Guard guard;

    TokenController(TokenService tokens, Guard guard) {
        this.tokens = tokens;
        this.guard = guard;
    }

    @Operation(
            operationId = "listPersonalAccessTokens",
            summary = "List one's own tokens",
            description = "Expired ones are listed until they are deleted.")
    @GetMapping
    List<TokenInfo> list() {
        return tokens.list(guard.caller().userId()).stream().map(TokenInfo::of).toList();
    }

    @Operation(
            operationId = "createPersonalAccessToken",
            summary = "Create a token",
            description = "Its text is shown in this reply only. Use it as a bearer token, or to log in.")
    @PostMapping
    RawToken create(@Valid @RequestBody CreateTokenRequest request) {
        long expiryMicros = request.expiry() == null ? 0 : request.expiry().bits();
        return new RawToken(tokens.create(guard.caller().userId(), request.name(), expiryMicros)
                .text());
    }

    @Operation(operationId = "deletePersonalAccessToken", summary = "Delete a token")
    @DeleteMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable("name") String name) {
        tokens.delete(guard.caller().userId(), name);
    }
}
