// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import jakarta.servlet.ServletException;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.access.ExceptionTranslationFilter;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.header.Header;
import org.springframework.security.web.header.HeaderWriter;
import org.springframework.security.web.header.HeaderWriterFilter;
import org.springframework.security.web.header.writers.CompositeHeaderWriter;
import org.springframework.security.web.header.writers.DelegatingRequestMatcherHeaderWriter;
import org.springframework.security.web.header.writers.HstsHeaderWriter;
import org.springframework.security.web.header.writers.StaticHeadersWriter;
import org.springframework.security.web.savedrequest.NullRequestCache;
import org.springframework.security.web.servletapi.SecurityContextHolderAwareRequestFilter;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/**
 * Spring Security's filter chain: headers that keep browsers safe, who is calling, whether the path needs a caller. What a caller may do
 * is asked by the controllers through {@link Guard}. No sessions, no cookies, so no CSRF tokens either.
 * <p>The chain is told filter by filter: those that the builder adds for sessions, anonymous users and the servlet API cost more than the
 * authentication itself (docs/performance.md).
 */
@Configuration(proxyBeanMethods = false)
class AccessConfiguration {
    private static final HeaderWriter OF_ALL = new StaticHeadersWriter(List.of(
            new Header("X-Content-Type-Options", "nosniff"), new Header(HttpHeaders.CACHE_CONTROL, "no-store")));

    private static final HeaderWriter OF_PAGES = new CompositeHeaderWriter(List.of(
            new StaticHeadersWriter(
                    List.of(new Header("X-Frame-Options", "DENY"), new Header("Referrer-Policy", "no-referrer"))),
            new PagePolicy()));

    /** Data is never shown as a page, and the headers of pages would cost each produce and poll a tenth (docs/performance.md). */
    private static final RequestMatcher MAY_BE_A_PAGE =
            request -> !request.getRequestURI().startsWith("/streams/");

    /** Spans around each filter of the chain cost more than all of them together (docs/performance.md). */
    @Bean
    SecurityObservationSettings securityObservationSettings() {
        return SecurityObservationSettings.noObservations();
    }

    /** Health asks the servlet API who is calling, and tells details only to whom it may. */
    @Bean
    @Order(1)
    SecurityFilterChain actuatorFilterChain(Authenticator authenticator, Guard guard, Refusals refusals)
            throws ServletException {
        var principal = new SecurityContextHolderAwareRequestFilter();
        principal.afterPropertiesSet();
        return new DefaultSecurityFilterChain(
                request -> request.getRequestURI().startsWith("/actuator/"),
                headers(),
                new AuthenticationFilter(authenticator),
                principal,
                refusing(refusals),
                authorization(guard));
    }

    @Bean
    @Order(2)
    SecurityFilterChain securityFilterChain(Authenticator authenticator, Guard guard, Refusals refusals) {
        return new DefaultSecurityFilterChain(
                AnyRequestMatcher.INSTANCE,
                headers(),
                new AuthenticationFilter(authenticator),
                refusing(refusals),
                authorization(guard));
    }

    /** The headers depend on the request alone: written first, the reply needs no wrapper that watches for its commit. */
    private static HeaderWriterFilter headers() {
        var filter = new HeaderWriterFilter(List.of(
                OF_ALL, new DelegatingRequestMatcherHeaderWriter(MAY_BE_A_PAGE, OF_PAGES), new HstsHeaderWriter()));
        filter.setShouldWriteHeadersEagerly(true);
        return filter;
    }

    private static ExceptionTranslationFilter refusing(Refusals refusals) {
        var filter = new ExceptionTranslationFilter(entryPoint(refusals), new NullRequestCache());
        filter.setAccessDeniedHandler(deniedHandler(refusals));
        return filter;
    }

    /** What an asynchronous or failed request says later was decided when it came. */
    private static AuthorizationFilter authorization(Guard guard) {
        var filter = new AuthorizationFilter(new PathAccess(guard));
        filter.setFilterAsyncDispatch(false);
        filter.setFilterErrorDispatch(false);
        return filter;
    }

    private static AuthenticationEntryPoint entryPoint(Refusals refusals) {
        return (request, response, ignored) -> refusals.refuse(
                request,
                response,
                request.getAttribute(AuthenticationFilter.REFUSAL) instanceof KeptlogException why
                        ? why
                        : new KeptlogException(ErrorCode.ACCESS_TOKEN_MISSING, "This needs an access token."));
    }

    private static AccessDeniedHandler deniedHandler(Refusals refusals) {
        return (request, response, denied) -> refusals.refuse(
                request,
                response,
                new KeptlogException(
                        ErrorCode.UNAUTHORIZED,
                        "This needs the permission read_servers, which this user does not have."));
    }
}
