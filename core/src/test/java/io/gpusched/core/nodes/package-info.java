/// Tests of the nodes' part of the ledger. Read [io.gpusched.core.nodes.ForeignUseTest] first;
/// tests of searches over the nodes are beside the searches.
@NullMarked
package io.gpusched.core.nodes;

import org.jspecify.annotations.NullMarked;
