// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.console;

import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * The console's modules, style and pictures, and the plotting library from its WebJar. Kept by browsers and asked for again with their
 * date, so that a new version of the server is seen at the next load.
 */
@Configuration(proxyBeanMethods = false)
class ConsoleAssets implements WebMvcConfigurer {
    /** The version of pom.xml; ConsolePageTest fails when they differ. */
    private static final String UPLOT = "classpath:/META-INF/resources/webjars/uplot/1.6.30/dist/";

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/assets/uplot/**")
                .addResourceLocations(UPLOT)
                .setCacheControl(CacheControl.noCache());
        registry.addResourceHandler("/assets/**")
                .addResourceLocations("classpath:/console/assets/")
                .setCacheControl(CacheControl.noCache());
    }
}
