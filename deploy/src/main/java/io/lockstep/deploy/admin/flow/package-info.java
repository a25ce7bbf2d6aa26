/** Lists of flow rules over the admin HTTP. What operators change of them is a resource. */
@NullMarked
package io.lockstep.deploy.admin.flow;

import org.jspecify.annotations.NullMarked;
