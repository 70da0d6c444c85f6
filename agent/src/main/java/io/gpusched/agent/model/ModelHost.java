package io.gpusched.agent.model;

import io.gpusched.wire.proto.agent.HeldModel;
import io.gpusched.wire.proto.agent.ModelOrder;

import java.util.List;
import java.util.Map;

/// The model caches of an agent's nodes: that of this machine, or those of a cluster.
///
/// The agent repeats the orders and asks what is held several times a second. All methods are
/// called by one thread and must return soon.
public interface ModelHost extends AutoCloseable {
    /// @param changed called on any thread when [#held] may have a new answer
    void start(Runnable changed);

    /// Follows these orders on a node from now on; they replace all earlier ones. A node without a
    /// cache has none.
    void follow(String node, List<ModelOrder> orders);

    /// Gives a loading up that brings nothing.
    void look();

    /// All that each cache holds, loads and could not load. A node without a cache is not named.
    Map<String, List<HeldModel>> held();

    /// The directory of a complete model as tasks on the node see it; empty where it is not.
    String find(String node, String model);

    @Override
    void close();
}
