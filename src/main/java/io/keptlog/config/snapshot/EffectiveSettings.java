// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config.snapshot;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/**
 * The settings that are in force, sorted by name. The environment's other variables are left out; what may be a secret by its name, and
 * passwords inside of URIs, are not shown. Keeps no state.
 */
final class EffectiveSettings {
    private static final List<String> SHOWN =
            List.of("keptlog.", "server.", "spring.", "management.", "logging.", "springdoc.", "keptlog_", "server_");
    private static final Pattern SECRET =
            Pattern.compile("passw|secret|token|credential|private-?_?key|key-?_?store|trust-?_?store");
    private static final Pattern USER_INFO = Pattern.compile("(//)[^/@\\s]+@");
    private static final String HIDDEN = "(not shown)";

    private final ConfigurableEnvironment environment;

    EffectiveSettings(ConfigurableEnvironment environment) {
        this.environment = environment;
    }

    void write(Writer out) throws IOException {
        var names = new TreeSet<String>();
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> listed) {
                names.addAll(List.of(listed.getPropertyNames()));
            }
        }
        for (String name : names) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (SHOWN.stream().anyMatch(lower::startsWith)) {
                out.append(name).append('=').append(value(name, lower)).append('\n');
            }
        }
    }

    private String value(String name, String lower) {
        if (SECRET.matcher(lower).find()) {
            return HIDDEN;
        }
        String value = text(name);
        return value == null ? "" : USER_INFO.matcher(value).replaceAll("$1").replaceAll("\\R", " ");
    }

    /** A value with a placeholder that nothing resolves is shown as it stands. */
    private @Nullable String text(String name) {
        try {
            return environment.getProperty(name);
        } catch (IllegalArgumentException e) {
            return "(cannot be resolved)";
        }
    }
}
