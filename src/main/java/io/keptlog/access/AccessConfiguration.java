// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import jakarta.servlet.DispatcherType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.header.HeaderWriterFilter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.util.matcher.RequestMatcher;

/**
 * Spring Security's filter chain: who is calling, whether the path needs a caller, headers that keep browsers safe. What a caller may do
 * is asked by the controllers through {@link Guard}. No sessions, no cookies, so no CSRF tokens either.
 */
@Configuration(proxyBeanMethods = false)
class AccessConfiguration {
    /** Pages of this server load only from this server; style attributes are what the API's documentation page uses. */
    private static final String CONTENT_SECURITY_POLICY = "default-src 'self'; img-src 'self' data:;"
            + " style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

    /** The headers are the same whatever the reply is: written first, the reply needs no wrapper that watches for its commit. */
    private static final ObjectPostProcessor<HeaderWriterFilter> WRITTEN_FIRST = new ObjectPostProcessor<>() {
        @Override
        public <O extends HeaderWriterFilter> O postProcess(O filter) {
            filter.setShouldWriteHeadersEagerly(true);
            return filter;
        }
    };

    /** Spans around each filter of the chain cost more than all of them together (docs/performance.md). */
    @Bean
    SecurityObservationSettings securityObservationSettings() {
        return SecurityObservationSettings.noObservations();
    }

    @Bean
    SecurityFilterChain securityFilterChain(
            HttpSecurity http, Authenticator authenticator, Guard guard, Refusals refusals) {
        RequestMatcher prometheus = request -> request.getRequestURI().startsWith("/actuator/prometheus");
        return http.csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .sessionManagement(AbstractHttpConfigurer::disable)
                .securityContext(c -> c.securityContextRepository(new RequestAttributeSecurityContextRepository()))
                .requestCache(AbstractHttpConfigurer::disable)
                .headers(h -> h.contentSecurityPolicy(c -> c.policyDirectives(CONTENT_SECURITY_POLICY))
                        .referrerPolicy(r -> r.policy(ReferrerPolicy.NO_REFERRER))
                        .withObjectPostProcessor(WRITTEN_FIRST))
                .addFilterBefore(new AuthenticationFilter(authenticator), AnonymousAuthenticationFilter.class)
                .authorizeHttpRequests(a -> a.dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.ASYNC)
                        .permitAll()
                        .requestMatchers(new PublicPaths())
                        .permitAll()
                        .requestMatchers(prometheus)
                        .access((caller, request) -> new AuthorizationDecision(guard.mayReadServers()))
                        .anyRequest()
                        .authenticated())
                .exceptionHandling(e ->
                        e.authenticationEntryPoint(entryPoint(refusals)).accessDeniedHandler(deniedHandler(refusals)))
                .build();
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
