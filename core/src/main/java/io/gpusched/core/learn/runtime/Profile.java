package io.gpusched.core.learn.runtime;

import io.gpusched.core.model.Features;

/// What is asked about or told of: work of a kind on a GPU model.
///
/// A kind may be named in steps, `family/variant`: until enough is known of the kind itself, others
/// of its family lend what they know.
public record Profile(String kind, String gpu, Features features) {
    /// The part of the name before the last slash; the whole name where there is none.
    static String family(String kind) {
        int slash = kind.lastIndexOf('/');
        return slash < 0 ? kind : kind.substring(0, slash);
    }

    Key key() {
        return new Key(kind, gpu);
    }

    /// Under which runs are kept together.
    record Key(String kind, String gpu) {}
}
