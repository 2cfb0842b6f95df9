// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.option;

/**
 * One option that a create request takes, as clients discover it.
 *
 * @param kind string, bool, uint32 or uint64
 * @param defaultValue the value's bytes, numbers little-endian
 */
public record OptionSpec(String key, String kind, byte[] defaultValue, String description) {}
