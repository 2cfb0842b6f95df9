# SPDX-License-Identifier: Apache-2.0
"""What schemathesis has to be told of bodies that it does not know."""
import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    """Lines as they are; whatever else it makes up is sent as one line of JSON."""
    if isinstance(value, bytes):
        return value
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")
