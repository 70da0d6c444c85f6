package io.gpusched.core.place;

import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.TopologyLevels;

import java.util.List;
import java.util.TreeSet;

/// How close together the tasks of one job must and should be.
///
/// @param required the narrowest level that all tasks must share; -1 for none, [#UNKNOWN] for a
///        level that is no longer configured, which nothing can satisfy
/// @param preferred the levels they should share if they can, the widest first, all narrower than
///        the required one
record GangProximity(int required, List<Integer> preferred) {
    static final int UNKNOWN = -2;

    static GangProximity of(JobSpec spec, TopologyLevels topologyLevels) {
        int required = -1;
        boolean known = true;
        var optional = new TreeSet<Integer>();
        for (Proximity proximity : spec.near()) {
            int level = topologyLevels.of(proximity.level());
            if (proximity.required()) {
                known &= level >= 0;
                required = Math.max(required, level);
            } else if (level >= 0) {
                optional.add(level);
            }
        }
        int narrowest = required;
        List<Integer> preferred = optional.stream().filter(level -> level > narrowest).toList();
        return new GangProximity(known ? required : UNKNOWN, preferred);
    }

    boolean isImpossible() {
        return required == UNKNOWN;
    }
}
