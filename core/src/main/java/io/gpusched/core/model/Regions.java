package io.gpusched.core.model;

import java.util.List;

/// The region of a node: where its electricity comes from. It is the value of the first of these
/// labels that the node has, or [#DEFAULT].
///
///     region: eu-west                          →   eu-west
///     topology.kubernetes.io/region: us-east   →   us-east
///     neither                                  →   default
public final class Regions {
    /// The labels that name a region, the one that counts first.
    public static final List<String> LABELS = List.of("region", "topology.kubernetes.io/region");

    /// The region of nodes without such a label.
    public static final String DEFAULT = "default";

    private Regions() {}

    /// The region of a node with these labels, or of a job that selects nodes by them.
    public static String of(Labels labels) {
        for (String label : LABELS) {
            String value = labels.value(label);
            if (!value.isEmpty()) {
                return value;
            }
        }
        return DEFAULT;
    }
}
