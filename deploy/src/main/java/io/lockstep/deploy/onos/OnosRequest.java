package io.lockstep.deploy.onos;

import java.util.Map;

/**
 * A request for something below {@link OnosRouter#ROOT}.
 *
 * @param method in upper case
 * @param path decoded, with the root
 * @param query by name; of a name that is given twice one value
 * @param body empty where there is none
 */
public record OnosRequest(String method, String path, Map<String, String> query, byte[] body) {}
