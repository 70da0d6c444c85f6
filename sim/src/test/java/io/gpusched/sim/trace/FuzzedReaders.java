package io.gpusched.sim.trace;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/// Every reader of traces, each with a file that it can read.
record FuzzedReaders(Path sample, Function<Path, Object> read) {
    static final Map<String, FuzzedReaders> ALL = all();

    private static Map<String, FuzzedReaders> all() {
        var all = new LinkedHashMap<String, FuzzedReaders>();
        all.put("swf", of("batch.swf", file -> SwfReader.read(file).jobs()));
        all.put("swf as written", of("batch.swf", file -> SwfReader.readAsWritten(file).jobs()));
        all.put("philly", of("philly.csv", file -> PhillyReader.read(file).jobs()));
        all.put("openb pods", of("openb-pods.csv", file -> OpenbReader.pods(file).jobs()));
        all.put("openb pod rows", of("openb-pods.csv", OpenbReader::podRows));
        all.put("openb nodes", of("openb-nodes.csv", OpenbReader::nodes));
        all.put("serving", of("serving.csv", file -> ServingReader.read(file).jobs()));
        all.put("requests", of("llm-requests.csv", file -> RequestReader.USUAL.read(file).jobs()));
        all.put(
                "intensity",
                of("carbon/intensity.csv", file -> IntensityReader.read(file).toString()));
        return all;
    }

    private static FuzzedReaders of(String sample, Function<Path, Object> read) {
        return new FuzzedReaders(Path.of("..", "samples").resolve(sample), read);
    }
}
