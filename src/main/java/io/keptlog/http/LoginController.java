// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.access.Authenticator;
import io.keptlog.access.Guard;
import io.keptlog.access.PasswordCheck;
import io.keptlog.access.Sessions;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.catalog.UserEntry;
import io.keptlog.http.dto.user.IdentityInfo;
import io.keptlog.http.dto.user.LoginRequest;
import io.keptlog.http.dto.user.TokenRequest;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirements;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Logging in and out: by password, by personal access token, and by the token that is about to end. */
@Tag(name = "Login")
@RestController
class LoginController {
    private final PasswordCheck passwords;
    private final Authenticator authenticator;
    private final Sessions sessions;
    private final Guard guard;

    LoginController(PasswordCheck passwords, Authenticator authenticator, Sessions sessions, Guard guard) {
        this.passwords = passwords;
        this.authenticator = authenticator;
        this.sessions = sessions;
        this.guard = guard;
    }

    @Operation(
            operationId = "login",
            summary = "Log in with name and password",
            description =
                    "Answers a token that is valid for one hour. Failed logins are throttled per name and address.")
    @SecurityRequirements
    @PostMapping("/users/login")
    IdentityInfo login(@Valid @RequestBody LoginRequest request, HttpServletRequest http) {
        UserEntry user = passwords.check(request.username(), request.password(), http.getRemoteAddr());
        return IdentityInfo.of(sessions.issue(user));
    }

    @Operation(
            operationId = "logout",
            summary = "Log out",
            description =
                    "Revokes the token of this request, across restarts. A personal access token or a password stays valid.")
    @DeleteMapping("/users/logout")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void logout() {
        sessions.revoke(guard.caller());
    }

    @Operation(
            operationId = "refreshToken",
            summary = "Exchange a valid token for a new one",
            description = "The former token ends.")
    @SecurityRequirements
    @PostMapping("/users/refresh-token")
    IdentityInfo refresh(@Valid @RequestBody TokenRequest request) {
        return IdentityInfo.of(sessions.refresh(request.token()));
    }

    @Operation(
            operationId = "loginWithPersonalAccessToken",
            summary = "Log in with a personal access token",
            description = "Answers a token that is valid for its own hour.")
    @SecurityRequirements
    @PostMapping("/personal-access-tokens/login")
    IdentityInfo loginWithToken(@Valid @RequestBody TokenRequest request) {
        UserEntry user = authenticator.ownerOf(request.token());
        if (!user.active()) {
            throw new KeptlogException(ErrorCode.USER_INACTIVE, "The user of this token is not active.");
        }
        return IdentityInfo.of(sessions.issue(user));
    }
}
