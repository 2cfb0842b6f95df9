// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.offset;

/** A consumer group as clients see it. It has no members: clients join over other transports than HTTP. */
public record GroupView(int id, String name, int partitions) {}
