// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.Keptlog;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;

/** A test against the whole server with its real store, on a real port and with MockMvc; root is {@code iggy} with password {@code secret}. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        classes = Keptlog.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "keptlog.root-username=iggy",
            "keptlog.root-password=secret",
            "keptlog.data-dir=${java.io.tmpdir}/keptlog-server-test-${random.uuid}"
        })
@AutoConfigureMockMvc
public @interface ServerTest {}
