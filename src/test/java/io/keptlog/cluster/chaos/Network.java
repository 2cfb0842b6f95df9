// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.chaos;

import java.util.List;

/** Where the parts of a cluster live. */
interface Network {
    /** What comes before the command of a part that was added under this name. */
    List<String> prefix(String part);

    /** The address at which the rest of the cluster reaches the part. */
    String host(String part);

    /** The address at which clients reach the part; they do even when it is cut off. */
    String clientHost(String part);

    void add(String part);

    boolean canCut();

    /** Nothing goes to or from the rest of the cluster any more, and nobody is told. */
    void cut(String part);

    void heal(String part);

    /** All on 127.0.0.1. */
    static Network loopback() {
        return new Network() {
            @Override
            public List<String> prefix(String part) {
                return List.of();
            }

            @Override
            public String host(String part) {
                return "127.0.0.1";
            }

            @Override
            public String clientHost(String part) {
                return "127.0.0.1";
            }

            @Override
            public void add(String part) {}

            @Override
            public boolean canCut() {
                return false;
            }

            @Override
            public void cut(String part) {
                throw new UnsupportedOperationException("no namespaces");
            }

            @Override
            public void heal(String part) {
                throw new UnsupportedOperationException("no namespaces");
            }
        };
    }
}
