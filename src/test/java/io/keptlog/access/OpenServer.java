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
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;

/**
 * The server without authentication: whoever asks is root. For measuring what authentication costs, and for nothing else. No stereotype
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
            if (!(bean instanceof SecurityFilterChain)) {
                return bean;
            }
            Filter asRoot = (request, response, chain) -> {
                var root = Objects.requireNonNull(users.getObject().find(0));
                SecurityContextHolder.setContext(
                        new SecurityContextImpl(new CallerAuthentication(Caller.of(root, null))));
                chain.doFilter(request, response);
            };
            return new DefaultSecurityFilterChain(AnyRequestMatcher.INSTANCE, asRoot);
        }
    }
}
