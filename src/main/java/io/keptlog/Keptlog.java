// SPDX-License-Identifier: Apache-2.0
package io.keptlog;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The server's entry point. */
@SpringBootApplication
public class Keptlog {
    public static void main(String[] args) {
        SpringApplication.run(Keptlog.class, args);
    }
}
