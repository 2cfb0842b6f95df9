// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.Keptlog;
import io.keptlog.service.PasswordHashing;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.boot.webmvc.test.autoconfigure.MockMvcPrint;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/**
 * A test against the whole server with its real store in a directory of its own, on a real port and with MockMvc; one server for all of
 * these tests. Root is {@code iggy} with password {@code secret}. Retention runs only when a test makes it.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        classes = Keptlog.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "keptlog.root-username=iggy",
            "keptlog.root-password=secret",
            "keptlog.data-dir=target/test-data/server-test-${random.uuid}",
            "keptlog.retention-interval=1d",
            "keptlog.live.heartbeat=200ms",
            "keptlog.live.stall-timeout=2s",
            "keptlog.live.max-readers-per-user=" + ServerTest.LIVE_READERS_PER_USER
        })
@AutoConfigureMockMvc(print = MockMvcPrint.NONE)
@Import(ServerTest.QuickHashing.class)
public @interface ServerTest {
    int LIVE_READERS_PER_USER = 40;

    /** Costs nothing, so that tests are quick. */
    @TestConfiguration(proxyBeanMethods = false)
    class QuickHashing {
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
    }
}
