// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.config.KeptlogProperties;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.service.HealthService;
import io.keptlog.service.PasswordHashing;
import io.keptlog.service.RecoveryService;
import io.keptlog.service.system.DiskWatch;
import io.keptlog.storage.InMemoryCatalog;
import io.keptlog.storage.InMemoryReports;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.test.context.TestComponent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The server without its log: the edge of HTTP, users and tokens on a catalog in memory, and a controller that says what it got.
 * Carries no stereotype, so that the scan of the whole server does not find it.
 */
@EnableAutoConfiguration(exclude = UserDetailsServiceAutoConfiguration.class)
@EnableConfigurationProperties(KeptlogProperties.class)
@ComponentScan({
    "io.keptlog.access",
    "io.keptlog.http.error",
    "io.keptlog.http.edge",
    "io.keptlog.http.health",
    "io.keptlog.http.openapi"
})
@ComponentScan(
        basePackages = "io.keptlog.http",
        useDefaultFilters = false,
        includeFilters =
                @ComponentScan.Filter(
                        type = FilterType.REGEX,
                        pattern = "io\\.keptlog\\.http\\.(User|Login|Token)Controller"))
@ComponentScan(
        basePackages = "io.keptlog.config",
        useDefaultFilters = false,
        includeFilters =
                @ComponentScan.Filter(type = FilterType.REGEX, pattern = "io\\.keptlog\\.config\\.(Access|Http)Wiring"))
@Import({EdgeTestApplication.Echo.class, JsonOnly.class})
public class EdgeTestApplication {
    @Bean
    InMemoryCatalog catalog() {
        return new InMemoryCatalog();
    }

    @Bean
    HealthService healthService(InMemoryCatalog catalog) {
        return new HealthService(catalog);
    }

    @Bean
    DiskWatch diskWatch() {
        return new DiskWatch(Optional.empty(), InstantSource.system(), Thread::new);
    }

    @Bean
    RecoveryService recoveryService() {
        return new RecoveryService(new InMemoryReports(), Optional.empty(), InstantSource.system());
    }

    /** Costs nothing, so that tests are quick. */
    @Bean
    @Primary
    PasswordHashing quickHashing() {
        return new PasswordHashing() {
            @Override
            public String hash(String password) {
                return "hash of " + password;
            }

            @Override
            public boolean matches(String password, String hash) {
                return hash.equals(hash(password));
            }
        };
    }

    /** Answers with what arrived. */
    @RestController
    @TestComponent
    public static class Echo {
        public final AtomicInteger entered = new AtomicInteger();
        public final CountDownLatch released = new CountDownLatch(1);

        @GetMapping("/echo/{name}")
        Map<String, String> name(@PathVariable("name") String name) {
            return Map.of("name", name);
        }

        @GetMapping("/echo/{name}/inner/{other}")
        Map<String, String> names(@PathVariable("name") String name, @PathVariable("other") String other) {
            return Map.of("name", name, "other", other);
        }

        @GetMapping("/echo-header")
        Map<String, String> header(@RequestParam("value") String value, HttpServletResponse response) {
            response.setHeader("Echo", value);
            return Map.of();
        }

        @GetMapping("/echo-number")
        Map<String, Object> number(
                @RequestParam(name = "u64", required = false) String u64,
                @RequestParam(name = "u32", required = false) String u32) {
            var numbers = new LinkedHashMap<String, Object>();
            if (u64 != null) {
                numbers.put("u64", Long.toUnsignedString(Unsigned.u64(u64, "u64")));
            }
            if (u32 != null) {
                numbers.put("u32", Unsigned.u32(u32, "u32"));
            }
            return numbers;
        }

        @PostMapping("/echo-body")
        Map<String, Integer> body(@RequestBody Map<String, Object> body) {
            return Map.of("members", body.size());
        }

        @PostMapping("/echo/messages")
        Map<String, Long> messages(InputStream body) throws IOException, InterruptedException {
            long length = body.readAllBytes().length;
            entered.incrementAndGet();
            released.await();
            return Map.of("length", length);
        }

        @GetMapping("/echo-error/{code}")
        void error(@PathVariable("code") ErrorCode code, @RequestParam("retry") int retrySeconds) {
            String reason = "Reason of " + code + ": \"\u20ac\".";
            throw new KeptlogException(code, reason, "echoed", retrySeconds, Map.of(), null);
        }

        @GetMapping("/echo-status/{status}")
        void status(@PathVariable("status") int status, HttpServletResponse response) throws IOException {
            response.sendError(status);
        }

        @GetMapping("/echo-defect")
        void defect() {
            throw new IllegalStateException("secret detail");
        }
    }
}
