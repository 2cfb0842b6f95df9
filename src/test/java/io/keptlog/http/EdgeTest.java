// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;

/** A test against {@link EdgeTestApplication}, on a real port and with MockMvc; root is {@code iggy} with password {@code secret}. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        classes = EdgeTestApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "keptlog.root-username=iggy",
            "keptlog.root-password=secret",
            "keptlog.data-dir=target/test-data/edge-test-${random.uuid}",
            "keptlog.allowed-origins=https://console.example.org",
            "keptlog.max-request-body=100000B",
            "keptlog.max-bytes-in-flight=640000B",
            "keptlog.max-writes-in-flight-per-user=4"
        })
@AutoConfigureMockMvc
public @interface EdgeTest {}
