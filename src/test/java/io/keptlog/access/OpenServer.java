// SPDX-License-Identifier: Apache-2.0
package io.keptlog.access;

import io.keptlog.Keptlog;
import io.keptlog.service.UserService;
import jakarta.servlet.Filter;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.DefaultSecurityFilterChain;

/**
 * The server without authentication: whoever asks is root. The headers that keep browsers safe are sent all the same. For measuring what authentication costs, and for nothing else. No stereotype
 * annotation, so that no component scan finds it.
 */
public class OpenServer {
    public static void main(String[] args) {
        SpringApplication application = Keptlog.application();
        application.addInitializers(context -> context.getBeanFactory()
                .addBeanPostProcessor(
                        new EverybodyIsRoot(context.getBeanFactory().getBeanProvider(UserService.class))));
        application.run(args);
    }

    private record EverybodyIsRoot(ObjectProvider<UserService> users) implements BeanPostProcessor {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (!(bean instanceof DefaultSecurityFilterChain chainOfAll)) {
                return bean;
            }
            Filter headers = chainOfAll.getFilters().getFirst();
            Filter asRoot = (request, response, chain) -> {
                var root = Objects.requireNonNull(users.getObject().find(0));
                SecurityContextHolder.setContext(
                        new SecurityContextImpl(new CallerAuthentication(Caller.of(root, null))));
                try {
                    chain.doFilter(request, response);
                } finally {
                    SecurityContextHolder.clearContext();
                }
            };
            return new DefaultSecurityFilterChain(chainOfAll.getRequestMatcher(), headers, asRoot);
        }
    }
}
