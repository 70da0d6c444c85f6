package io.gpusched.server.learn;

import io.gpusched.core.learn.GpuType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/// A cache of parsed GPU names. It is bounded; a name beyond the bound is parsed each time.
final class GpuTypes {
    private static final int MOST = 4096;

    private final ConcurrentHashMap<String, GpuType> read = new ConcurrentHashMap<>();

    GpuType of(String name) {
        GpuType known = read.get(name);
        if (known != null) {
            return known;
        }
        GpuType type = GpuType.read(name);
        if (read.size() < MOST) {
            read.put(name, type);
        }
        return type;
    }

    List<GpuType> of(List<String> names) {
        var types = new ArrayList<GpuType>(names.size());
        for (String name : names) {
            types.add(of(name));
        }
        return types;
    }
}
