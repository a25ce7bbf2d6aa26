package io.lockstep.deploy.cli;

import java.util.concurrent.Callable;

/**
 * A command that comes from a module above this one, such as the demo. The command line looks for
 * implementations with {@link java.util.ServiceLoader} and adds each to its own commands, so it
 * works without them, too. An implementation is annotated with picocli's {@code @Command}; what it
 * returns is the exit code of the process.
 */
public interface AddedCommand extends Callable<Integer> {}
