// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.client;

import io.netty.util.HashedWheelTimer;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.bookkeeper.client.RackawareEnsemblePlacementPolicy;
import org.apache.bookkeeper.client.RackawareEnsemblePlacementPolicyImpl;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.bookkeeper.feature.FeatureProvider;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.net.DNSToSwitchMapping;
import org.apache.bookkeeper.net.NetworkTopology;
import org.apache.bookkeeper.proto.BookieAddressResolver;
import org.apache.bookkeeper.stats.StatsLogger;
import org.jspecify.annotations.Nullable;

/**
 * BookKeeper's rack-aware placement with racks by bookie instead of by host. Made by the BookKeeper client, which finds the racks in its
 * configuration.
 */
public final class RackPlacement extends RackawareEnsemblePlacementPolicy {
    static final String RACKS = "keptlogBookieRacks";

    private @Nullable BookieRacks racks;

    @Override
    public RackawareEnsemblePlacementPolicyImpl initialize(
            ClientConfiguration conf,
            Optional<DNSToSwitchMapping> resolver,
            HashedWheelTimer timer,
            FeatureProvider features,
            StatsLogger stats,
            BookieAddressResolver addresses) {
        if (!(conf.getProperty(RACKS) instanceof BookieRacks configured)) {
            throw new IllegalStateException("no racks in the client's configuration");
        }
        racks = configured;
        RackawareEnsemblePlacementPolicyImpl made =
                super.initialize(conf, Optional.of(new ByHost()), timer, features, stats, addresses);
        configured.placedBy(this);
        return made;
    }

    /** Never asked for a bookie; the library wants to have one. */
    private static final class ByHost implements DNSToSwitchMapping {
        @Override
        public List<String> resolve(List<String> hosts) {
            return Collections.nCopies(hosts.size(), NetworkTopology.DEFAULT_RACK);
        }

        @Override
        public void reloadCachedMappings() {}
    }

    @Override
    public String resolveNetworkLocation(BookieId bookie) {
        BookieRacks configured = racks;
        return configured == null ? super.resolveNetworkLocation(bookie) : configured.location(bookie.toString());
    }
}
