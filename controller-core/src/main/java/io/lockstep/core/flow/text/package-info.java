/**
 * Flow rules as texts with OpenFlow's names (OpenFlow 1.3.5 sections 5.9 and 7.2.3.7), as operators
 * write them and lists show them. Pure; imports no other room of the node.
 */
@NullMarked
package io.lockstep.core.flow.text;

import org.jspecify.annotations.NullMarked;
