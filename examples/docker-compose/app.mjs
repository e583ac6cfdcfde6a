const posts = await (await fetch(`${process.env.API_URL}/posts`)).json()
console.log(`There are ${posts.length} posts`)
