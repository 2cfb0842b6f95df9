// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.edge;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.http.error.ErrorBody;
import io.keptlog.http.error.RequestId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;

/**
 * Lets pages of the allowed origins call the API. Stands before everything else, so that preflights need no login and errors carry the
 * headers as well. Other origins are refused before anything happens. No cookies, so no credentials mode.
 */
final class CrossOrigin {
    private static final Duration PREFLIGHT_CACHED = Duration.ofHours(1);
    private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "DELETE");
    private static final List<String> EXPOSED = List.of(
            HttpHeaders.ALLOW,
            HttpHeaders.CONTENT_DISPOSITION,
            HttpHeaders.RETRY_AFTER,
            "Iggy-Durability",
            "Iggy-View",
            "Keptlog-Count",
            "Keptlog-First-Offset",
            "Keptlog-Gap",
            "Keptlog-Next-Offset",
            "Keptlog-Warning",
            RequestId.HEADER);

    private CrossOrigin() {}

    static CorsFilter filter(AllowedOrigins allowed) {
        var configuration = new CorsConfiguration();
        configuration.setAllowedOrigins(allowed.origins());
        configuration.setAllowedMethods(METHODS);
        configuration.setAllowedHeaders(List.of(CorsConfiguration.ALL));
        configuration.setExposedHeaders(EXPOSED);
        configuration.setMaxAge(PREFLIGHT_CACHED);
        var source = new UrlBasedCorsConfigurationSource();
        source.registerCorsConfiguration("/**", configuration);
        var filter = new CorsFilter(source);
        filter.setCorsProcessor(new Processor());
        return filter;
    }

    private static final class Processor extends DefaultCorsProcessor {
        @Override
        protected void rejectRequest(ServerHttpResponse response) throws IOException {
            var error = new KeptlogException(
                    ErrorCode.UNAUTHORIZED, "Pages of this origin may not call the API.", "origin");
            response.setStatusCode(HttpStatus.FORBIDDEN);
            response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
            response.getBody().write(ErrorBody.of(error).toJson());
            response.flush();
        }
    }
}
