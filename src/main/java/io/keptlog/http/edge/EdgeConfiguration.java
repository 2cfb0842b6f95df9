// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.edge;

import io.keptlog.access.Guard;
import io.keptlog.access.Refusals;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.http.error.JsonErrorValve;
import org.apache.catalina.core.StandardHost;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.web.filter.CorsFilter;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;

/** Tomcat, the firewall, JSON and the admission of requests, so that all of them speak the contract. */
@Configuration(proxyBeanMethods = false)
class EdgeConfiguration {
    /** After Spring Security (−100): the caller is known, and strangers take no room. */
    private static final int AFTER_SECURITY = 0;

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcatForTheContract(ConnectionRules rules) {
        return factory -> {
            factory.setProtocol(FairProtocol.class.getName());
            if (rules.accessLog() != null) {
                factory.addEngineValves(AccessLog.valve(rules.accessLog()));
            }
            factory.addConnectorCustomizers(connector -> {
                String keep = EncodedSolidusHandling.PASS_THROUGH.getValue();
                connector.setEncodedSolidusHandling(keep);
                connector.setEncodedReverseSolidusHandling(keep);
                if (connector.getProtocolHandler() instanceof FairProtocol fair) {
                    fair.maxConnectionsPerAddress(rules.maxPerAddress());
                }
                connector.setProperty("maxConnections", Integer.toString(rules.max()));
                connector.setProperty("socket.appReadBufSize", Integer.toString(Limits.SOCKET_READ_BYTES));
                connector.setProperty("socket.appWriteBufSize", Integer.toString(Limits.SOCKET_WRITE_BYTES));
            });
            factory.addContextCustomizers(context -> {
                if (context.getParent() instanceof StandardHost host) {
                    host.setErrorReportValveClass(JsonErrorValve.class.getName());
                }
            });
        };
    }

    @Bean
    HttpFirewall httpFirewall() {
        return new PathFirewall();
    }

    @Bean
    RequestRejectedHandler requestRejectedHandler(Refusals refusals) {
        return (request, response, e) -> refusals.refuse(
                request, response, new KeptlogException(ErrorCode.BAD_REQUEST, PathFirewall.reason(e), "path"));
    }

    @Bean
    FilterRegistrationBean<AdmissionFilter> admissionFilter(HttpLimits limits, Guard guard, Refusals refusals) {
        var registration = new FilterRegistrationBean<>(new AdmissionFilter(limits, guard, refusals));
        registration.setOrder(AFTER_SECURITY);
        return registration;
    }

    @Bean
    FilterRegistrationBean<ActuatorErrors> actuatorErrors(Refusals refusals) {
        var registration = new FilterRegistrationBean<>(new ActuatorErrors(refusals));
        registration.addUrlPatterns("/actuator/*");
        registration.setOrder(AFTER_SECURITY);
        return registration;
    }

    @Bean
    FilterRegistrationBean<CorsFilter> corsFilter(AllowedOrigins allowed) {
        var registration = new FilterRegistrationBean<>(CrossOrigin.filter(allowed));
        registration.setEnabled(!allowed.origins().isEmpty());
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    /** A value of another type than the contract's is an error, never a guess: "1" is no number, 1 no string and no enum, 1.0 no integer. */
    @Bean
    JsonMapperBuilderCustomizer exactJson() {
        return json -> json.disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .withCoercionConfig(
                        LogicalType.Enum, c -> c.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail))
                .withCoercionConfig(
                        LogicalType.Textual, c -> c.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
    }
}
