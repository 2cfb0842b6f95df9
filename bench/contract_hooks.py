# SPDX-License-Identifier: Apache-2.0
"""What schemathesis has to be told of bodies that it does not know."""
import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
