// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.catalog;

/** A consumer group of a topic. */
public record GroupEntry(int id, long createdAtMicros, String name) {}
