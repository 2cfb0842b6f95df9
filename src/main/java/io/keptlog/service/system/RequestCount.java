// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.system;

/** How many HTTP requests were answered since the start. */
@FunctionalInterface
public interface RequestCount {
    long total();
}
