/**
 * What operators change of mastership (adr/0032): moves of domains and drains of nodes, and who may
 * do so, offered as resources. Decides on linearizable reads, and writes under the versions that it
 * read. Imports the rooms {@code access}, {@code cluster} and {@code mastership}; only the node
 * itself imports it.
 */
@NullMarked
package io.lockstep.core.operation;

import org.jspecify.annotations.NullMarked;
