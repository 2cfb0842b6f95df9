// SPDX-License-Identifier: Apache-2.0
package io.keptlog;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** The jar's first class. The only one that an older Java can load, so that it says what is missing instead of a class file's version. */
public final class Start {
    private static final int NEEDED = 25;

    private Start() {}

    public static void main(String[] args) throws Throwable {
        if (Runtime.version().feature() < NEEDED) {
            System.err.println("Keptlog needs Java " + NEEDED + " or later; this is Java "
                    + System.getProperty("java.version") + " (" + System.getProperty("java.home")
                    + "). Use the java of a JDK " + NEEDED + ", as in JAVA_HOME/bin/java -jar ..., or bin/keptlog, which looks"
                    + " for one.");
            System.exit(1);
        }
        MethodHandles.publicLookup()
                .findStatic(
                        Class.forName("io.keptlog.Keptlog"),
                        "main",
                        MethodType.methodType(void.class, String[].class))
                .invokeExact(args);
    }
}
