// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.bench;

/** What is measured. */
enum Workload {
    /** Requests that send a batch; until its acknowledgement. */
    PRODUCE,
    /** Requests that read a batch. */
    POLL,
    /** Messages that are sent by one connection and read by another; until they are read. */
    END_TO_END;

    /** As options and reports write it. */
    String wireName() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
