// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.client;

/**
 * Over how many racks the copies of an entry are spread (requirements B10).
 *
 * @param minRacksPerWriteQuorum as many as that, or as the write quorum has bookies when these are fewer
 * @param enforced whether a ledger that cannot be spread so is not made; else it is made as well as it can be
 */
public record RackPolicy(int minRacksPerWriteQuorum, boolean enforced) {
    public static final RackPolicy DEFAULT = new RackPolicy(2, false);

    private static final int RACKS_MAX = 100;

    public RackPolicy {
        if (minRacksPerWriteQuorum < 1 || minRacksPerWriteQuorum > RACKS_MAX) {
            throw new IllegalArgumentException("racks per write quorum " + minRacksPerWriteQuorum);
        }
    }
}
