/// The scheduler itself: pure and deterministic, needing nothing but the Java base.
module io.gpusched.core {
    requires static transitive org.jspecify;

    exports io.gpusched.core.model;
    exports io.gpusched.core.pool;
    exports io.gpusched.core.scale;
    exports io.gpusched.core.event;
    exports io.gpusched.core.spot;
    exports io.gpusched.core.nodes;
    exports io.gpusched.core.tenants;
    exports io.gpusched.core.queue;
    exports io.gpusched.core.state;
    exports io.gpusched.core.learn;
    exports io.gpusched.core.learn.assign;
    exports io.gpusched.core.learn.runtime;
    exports io.gpusched.core.policy;
    exports io.gpusched.core.policy.order;
    exports io.gpusched.core.policy.learned;
    exports io.gpusched.core.policy.gate;
    exports io.gpusched.core.policy.filter;
    exports io.gpusched.core.policy.fit;
    exports io.gpusched.core.policy.score;
    exports io.gpusched.core.policy.pack;
    exports io.gpusched.core.policy.preempt;
    exports io.gpusched.core.engine;
    exports io.gpusched.core.cell;
    exports io.gpusched.core.forecast;
    exports io.gpusched.core.explain;
}
