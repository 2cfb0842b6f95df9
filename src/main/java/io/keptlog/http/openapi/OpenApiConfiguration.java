// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.openapi;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import java.util.List;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The frame of the API document: what it is, where it is served, how to authorise. The same on every machine. */
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration {
    private static final String BEARER = "bearer";
    private static final String BASIC = "basic";

    @Bean
    OpenAPI openApi() {
        return new OpenAPI()
                .info(new Info()
                        .title("Keptlog")
                        .version("1")
                        .description("A message log over HTTP in which every acknowledgement says what it has survived."
                                + " Speaks the HTTP API of Apache Iggy and adds receipts, barriers and reports.")
                        .license(new License().name("Apache-2.0").url("https://www.apache.org/licenses/LICENSE-2.0")))
                .servers(List.of(new Server().url("/")))
                .components(new Components()
                        .addSecuritySchemes(
                                BEARER,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("bearer")
                                        .description("A token from /users/login, or a personal access token."))
                        .addSecuritySchemes(
                                BASIC,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("basic")
                                        .description("Name and password.")))
                .security(List.of(new SecurityRequirement().addList(BEARER), new SecurityRequirement().addList(BASIC)));
    }

    @Bean
    GlobalOpenApiCustomizer contractCustomizer() {
        return new ContractCustomizer();
    }
}
