// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

/**
 * Something that does not work until somebody acts, as health shows it.
 *
 * @param component for example {@code partition 0/1/2}, {@code catalog journal}
 * @param blocksWrites whether no write at all can be taken because of it
 */
public record Fault(String component, String reason, boolean blocksWrites) {}
