// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Bodies are what the contract says. Spring would also read and write YAML, because the API's documentation has a parser of it on the class
 * path, with none of the strictness of our JSON.
 */
@Configuration(proxyBeanMethods = false)
class JsonOnly implements WebMvcConfigurer {
    @Override
    public void configureMessageConverters(HttpMessageConverters.ServerBuilder converters) {
        converters.configureMessageConvertersList(all ->
                all.removeIf(converter -> converter.getSupportedMediaTypes().contains(MediaType.APPLICATION_YAML)));
    }
}
