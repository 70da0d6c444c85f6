package io.gpusched.core.learn.runtime;

import io.gpusched.core.model.Features;

/// The subject of an estimate or an observation: a kind of work on a GPU model.
///
/// A kind may have a name in levels, `family/variant`: until enough is known of the kind itself,
/// its family serves as a prior.
public record Profile(String kind, String gpu, Features features) {
    /// The part of the name before the last slash; the whole name where there is none.
    static String family(String kind) {
        int slash = kind.lastIndexOf('/');
        return slash < 0 ? kind : kind.substring(0, slash);
    }

    Key key() {
        return new Key(kind, gpu);
    }

    /// The key by which runs are grouped.
    record Key(String kind, String gpu) {}
}
