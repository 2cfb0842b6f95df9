// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.http.dto.catalog.OptionSpecReply;
import io.keptlog.service.option.OptionsCatalog;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Which options exist. */
@Tag(name = "System")
@RestController
class OptionsController {
    private final OptionsCatalog options;

    OptionsController(OptionsCatalog options) {
        this.options = options;
    }

    @Operation(
            operationId = "listOptions",
            summary = "List the options that can be named at creation",
            description = "Scopes are topic, stream and user. Any user.")
    @GetMapping("/options/{scope}")
    List<OptionSpecReply> list(@Parameter(example = "topic") @PathVariable("scope") String scope) {
        return options.list(scope).stream().map(OptionSpecReply::of).toList();
    }
}
