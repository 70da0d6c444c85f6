package io.gpusched.bench;

import io.gpusched.bench.report.Figure;

import java.util.List;

/// One benchmark.
///
/// A bench takes at most about a minute and a half, leaves no process and no file behind, and says
/// by an exception when it could not measure. Missing a target is a result, not an exception.
public interface Bench {
    /// Its name on the command line.
    String name();

    /// What is measured, in a few words.
    String title();

    /// What exactly is measured and under which conditions, in sentences.
    String how();

    /// The page of `docs/results` that its figures stand on.
    default String page() {
        return "spine";
    }

    List<Figure> run(Thoroughness thoroughness) throws Exception;
}
