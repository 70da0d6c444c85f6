/// Rules that pack tasks so that little unusable capacity is left: the policies of the FGD
/// experiment (Weng et al., "Beware of Fragmentation", ATC 2023) and ours. Their scores are whole
/// numbers from 0 to 100, as published; ties go to the node that comes first in the ledger. Read
/// [io.gpusched.core.policy.pack.Fragmentation] first. Rules that do not pack belong in
/// `policy.score`.
@NullMarked
package io.gpusched.core.policy.pack;

import org.jspecify.annotations.NullMarked;
