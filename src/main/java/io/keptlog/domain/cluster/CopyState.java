// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

/** What a bookie of an entry's write set says of its copy. */
public enum CopyState {
    /** It has the entry, and the digest fits. */
    PRESENT,
    /** It answers that it does not have the entry. */
    ABSENT,
    /** It does not answer, or cannot say: nothing is known of the copy. */
    UNREACHABLE,
    /** It has the entry, and the digest does not fit. */
    CORRUPT
}
