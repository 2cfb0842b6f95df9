// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

/** The server cannot start as it is configured. The message is one line for people, names the setting and holds no secret. */
public class ConfigurationRefused extends RuntimeException {
    public ConfigurationRefused(String message) {
        super(message, null, false, false);
    }
}
