// SPDX-License-Identifier: Apache-2.0
/**
 * Measures the finished jar against end points that do nothing, in one run on one machine: absolute numbers move from machine to machine,
 * the ratios hold. Started by {@code bench/run.sh}.
 */
@NullMarked
package io.keptlog.bench;

import org.jspecify.annotations.NullMarked;
