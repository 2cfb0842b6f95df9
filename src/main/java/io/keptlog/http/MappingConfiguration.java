// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** How a request finds its controller. */
@Configuration(proxyBeanMethods = false)
class MappingConfiguration {
    @Bean
    MessagesFirst messagesFirst(
            @Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping all,
            RequestInterceptor interceptor) {
        return new MessagesFirst(all, interceptor);
    }
}
