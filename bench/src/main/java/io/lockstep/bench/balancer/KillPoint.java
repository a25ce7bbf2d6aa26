package io.lockstep.bench.balancer;

/**
 * What became of many connections while a node was killed. Names of the components are the keys of
 * the result file.
 *
 * @param connections that were opened
 * @param open that were established, and were answered afterwards
 * @param broken that were established, and were reset
 * @param otherMember whose record names another member than the one that answers
 * @param epochs of the order of takes
 * @param unknownTakes places of the order that no record has: their outcome was unknown
 * @param wrongTakes what contradicts the order, ten of them at most
 * @param killedAt connections that were established when the node was killed
 */
public record KillPoint(
    int connections,
    long open,
    long broken,
    long otherMember,
    int epochs,
    long unknownTakes,
    int wrongTakes,
    long killedAt,
    String killedNode,
    double seconds,
    boolean pass) {}
