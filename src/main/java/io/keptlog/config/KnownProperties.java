// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import java.lang.reflect.RecordComponent;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Stops the start when something is set that Keptlog does not know: a mistyped setting must not be silently without effect. Looks at
 * names only, in files, system properties, the command line and the environment (KEPTLOG_…). Runs when everything is read and
 * logging works, before any bean exists.
 */
public final class KnownProperties implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    private static final String PREFIX = "keptlog.";
    private static final String ENVIRONMENT_PREFIX = "KEPTLOG_";
    /** A setting of former Iggy servers that made offsets durable server-wide; here each topic says so (requirements A3). */
    private static final String REMOVED = "consumeroffsetenforcefsync";

    /** Of the jar's commands (cli.client.ServerOptions), which may stand in the same environment. */
    private static final Set<String> OF_COMMANDS = Set.of(
            "KEPTLOG_CLIENT_URL",
            "KEPTLOG_CLIENT_USERNAME",
            "KEPTLOG_CLIENT_PASSWORD",
            "KEPTLOG_CLIENT_TOKEN",
            "KEPTLOG_CLIENT_CA_FILE",
            "KEPTLOG_JAR");

    private final Set<String> known = new TreeSet<>();

    public KnownProperties() {
        collect(PREFIX, KeptlogProperties.class);
    }

    private void collect(String prefix, Class<?> type) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + kebab(component.getName());
            if (component.getType().isRecord()) {
                collect(name + ".", component.getType());
            } else {
                known.add(name);
            }
        }
    }

    /** Every name that may be set, sorted. */
    Set<String> names() {
        return known;
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        check(event.getEnvironment());
    }

    void check(ConfigurableEnvironment environment) {
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> listed) {
                boolean variables =
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME.equals(source.getName());
                for (String name : listed.getPropertyNames()) {
                    if (variables) {
                        checkVariable(name);
                    } else {
                        checkProperty(name);
                    }
                }
            }
        }
    }

    private void checkVariable(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        refuseRemoved(name);
        if (!upper.startsWith(ENVIRONMENT_PREFIX) || OF_COMMANDS.contains(upper)) {
            return;
        }
        boolean isKnown = known.stream()
                .anyMatch(k -> upper.equals(variable(k))
                        || upper.equals(variable(k.replace("-", "")))
                        || isElementOf(upper, variable(k)));
        if (!isKnown) {
            throw unknown("environment variable " + name, name);
        }
    }

    private static String variable(String property) {
        return property.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** KEPTLOG_ALLOWED_ORIGINS_0 */
    private static boolean isElementOf(String variable, String list) {
        return variable.startsWith(list + "_")
                && variable.substring(list.length() + 1).chars().allMatch(Character::isDigit);
    }

    private void checkProperty(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        refuseRemoved(name);
        if (!lower.startsWith(PREFIX)) {
            return;
        }
        String plain = plain(lower);
        if (known.stream().noneMatch(k -> plain(k).equals(plain))) {
            throw unknown("property " + name, name);
        }
    }

    private static void refuseRemoved(String name) {
        String letters = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
        if (letters.endsWith(REMOVED)) {
            throw new ConfigurationRefused(
                    "The setting consumer_offset_enforce_fsync (" + name
                            + ") no longer exists: choose the topic option consumer_offset_durability=persisted when a topic is created.");
        }
    }

    /** Names that bind to the same property are equal in this form; an index of a list is left out. */
    private static String plain(String name) {
        return name.replaceAll("\\[\\d+]$", "").replace("-", "").replace("_", "");
    }

    private ConfigurationRefused unknown(String what, String name) {
        String wanted = plain(name.toLowerCase(Locale.ROOT).replace('_', '.').replaceFirst("^keptlog\\.", PREFIX))
                .replace(".", "");
        String nearest = known.stream()
                .min(Comparator.comparingInt(k -> distance(plain(k).replace(".", ""), wanted)))
                .orElse(PREFIX);
        return new ConfigurationRefused("Unknown " + what + ". The nearest setting that exists is " + nearest + ".");
    }

    /** Levenshtein's distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j - 1], row[j]) + 1);
            }
        }
        return row[b.length()];
    }

    private static String kebab(String camel) {
        return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
