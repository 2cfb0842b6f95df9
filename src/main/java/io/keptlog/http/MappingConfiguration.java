// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import org.springframework.boot.webmvc.autoconfigure.WebMvcRegistrations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** How a request finds its controller. */
@Configuration(proxyBeanMethods = false)
class MappingConfiguration {
    @Bean
    WebMvcRegistrations messagesFirst() {
        return new WebMvcRegistrations() {
            @Override
            public RequestMappingHandlerMapping getRequestMappingHandlerMapping() {
                return new MessagesFirst();
            }
        };
    }
}
